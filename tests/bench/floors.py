"""The least that a server can do: `python -m tests.bench.floors KIND PORT [FOLDER]`.

`hello` is FastAPI with one route, `page` FastAPI with one Jinja template, `files` bare asyncio
that answers with the files of a folder, compressed beforehand.
"""

import asyncio
import gzip
import sys
from pathlib import Path

KEEP_ALIVE = 75
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css"}


def hello(port: int) -> None:
    """FastAPI, one route, one word."""
    import uvicorn
    from fastapi import FastAPI
    from fastapi.responses import HTMLResponse

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/")
    async def hello_world() -> HTMLResponse:
        return HTMLResponse("hello")

    uvicorn.run(
        app, port=port, log_level="warning", access_log=False, timeout_keep_alive=KEEP_ALIVE
    )


def page(port: int) -> None:
    """FastAPI, one route, one template."""
    import jinja2
    import uvicorn
    from fastapi import FastAPI
    from fastapi.responses import HTMLResponse

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    template = jinja2.Environment(autoescape=True).from_string("<!DOCTYPE html><p>{{ said }}</p>")

    @app.get("/")
    async def one_page() -> HTMLResponse:
        return HTMLResponse(template.render(said="hello"))

    uvicorn.run(app, port=port, log_level="warning", access_log=False)


def files(port: int, folder: Path) -> None:
    """Bare asyncio: `/` is index.html, `/name?anything` the file of that name."""
    answers = {}
    for file in folder.iterdir():
        body = gzip.compress(file.read_bytes())
        kind = TYPES.get(file.suffix, "application/octet-stream")
        head = (
            f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Encoding: gzip\r\n"
            f"Cache-Control: no-store\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        answers[f"/{file.name}"] = head.encode() + body
    answers["/"] = answers["/index.html"]
    nothing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                request = await reader.readuntil(b"\r\n\r\n")
                path = request.split(b" ", 2)[1].decode().partition("?")[0]
                writer.write(answers.get(path, nothing))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", port)
        await server.serve_forever()

    asyncio.run(run())


if __name__ == "__main__":
    kind, port, *rest = sys.argv[1:]
    if kind == "files":
        files(int(port), Path(rest[0]))
    else:
        {"hello": hello, "page": page}[kind](int(port))
