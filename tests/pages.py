"""Every page that the router lists, and the browser that looks at them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi.routing import APIRoute
from playwright.sync_api import Browser, sync_playwright
from starlette.routing import Router

from app.main import create_app

CHROMIUMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
)
SIZES = {"1280x720": (1280, 720), "1920x1080": (1920, 1080), "390x844": (390, 844)}
NO_PAGES = ("/steps/", "/api/")  # what htmx and what programs ask for


def page_addresses() -> list[str]:
    """The addresses of all pages: those that the routers name as samples, else the route itself.

    Raises LookupError for a route with parameters that names no sample.
    """
    addresses: list[str] = []
    for route in _routes(create_app().router):
        if "GET" not in (route.methods or ()):
            continue
        if route.path.startswith(NO_PAGES) or not route.include_in_schema:
            continue
        samples = (route.openapi_extra or {}).get("samples", [])
        if "{" in route.path and not samples:
            raise LookupError(f"{route.path} names no sample address")
        addresses += samples or [route.path]
    return addresses


def _routes(router: Router) -> Iterator[APIRoute]:
    for route in router.routes:
        if isinstance(route, APIRoute):
            yield route
        elif (included := getattr(route, "original_router", None)) is not None:
            yield from _routes(included)


def chromium_path() -> str | None:
    """The system's Chromium, or None."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium. Raises LookupError where there is none."""
    path = chromium_path()
    if path is None:
        raise LookupError(f"no Chromium on the PATH (looked for {', '.join(CHROMIUMS)})")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS])
        try:
            yield browser
        finally:
            browser.close()
