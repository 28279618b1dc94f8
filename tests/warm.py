"""All that a server reads before and while it serves: what imports this and forks has it at once.

Nothing of the tests is read here: what a server does is not theirs.
"""

import alembic.command
import anthropic
import genai_prices
import psycopg
import uvicorn

import app.cli
import app.exercise.child
import app.main
from app.paths import LOCALES, SCENARIOS, TEMPLATES
from app.run import library
from app.source import loops
from app.web.languages import read_languages

READ = (alembic.command, anthropic, app.cli, app.exercise.child, genai_prices, psycopg, uvicorn)
loops()
library([SCENARIOS]).lessons()
templates = read_languages(LOCALES, TEMPLATES)["en"].templates
for name in templates.list_templates():
    templates.get_template(name)
