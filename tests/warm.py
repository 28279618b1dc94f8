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
from app.source import loops

READ = (alembic.command, anthropic, app.cli, app.exercise.child, genai_prices, psycopg, uvicorn)
loops()
site = app.main.create_app().state.site
site.library.lessons()
templates = site.languages["en"].templates
for name in templates.list_templates():
    templates.get_template(name)
