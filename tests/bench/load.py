"""A small HTTP client for many connections at once: it must cost less than what it measures."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from itertools import islice

HEAD = "Host: 127.0.0.1\r\nAccept-Encoding: gzip\r\nHX-Request: true\r\n\r\n"


class Failed(Exception):
    """An answer that is not 200."""


class Connection:
    """One kept-alive connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int) -> "Connection":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def get(self, path: str) -> int:
        """Ask for a path and read the answer; gives its body's bytes. Raises Failed."""
        self._writer.write(f"GET {path} HTTP/1.1\r\n{HEAD}".encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        await self._reader.readexactly(length)
        if head[9:12] != b"200":
            raise Failed(f"{path} answered {head[9:12].decode()}")
        return length

    def close(self) -> None:
        self._writer.close()


def time_of(port: int, paths: Sequence[str], connections: int = 8) -> float:
    """Milliseconds per request of a server that is never idle, over all the paths."""
    return asyncio.run(_time_of(port, paths, connections))


async def _time_of(port: int, paths: Sequence[str], connections: int) -> float:
    opened = [await Connection.open(port) for _ in range(connections)]
    waiting = iter(paths)

    async def work(connection: Connection, waiting: Iterator[str]) -> None:
        for path in waiting:
            await connection.get(path)

    # A connection's first request is not measured.
    await asyncio.gather(*(work(one, islice(waiting, 1)) for one in opened))
    began = time.perf_counter()
    await asyncio.gather(*(work(one, waiting) for one in opened))
    took = time.perf_counter() - began
    for connection in opened:
        connection.close()
    return took * 1000 / (len(paths) - connections)
