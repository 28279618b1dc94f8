"""Reads lessons: folders with a `lesson.yaml` and a workspace. Every fault names file and line."""

from app.lessons.lesson import Lane, Lesson, LessonFault, UnknownLane, UnknownLesson
from app.lessons.library import Library, Read, read_lesson

__all__ = [
    "Lane",
    "Lesson",
    "LessonFault",
    "Library",
    "Read",
    "UnknownLane",
    "UnknownLesson",
    "read_lesson",
]
