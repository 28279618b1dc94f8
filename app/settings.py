"""What the environment sets. Each setting has its row in README.md; `halqa settings` shows them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

HIDDEN = "set, and not shown"


class BadSettings(ValueError):
    """A variable of the environment in the wrong form; the message is one sentence."""


def _variable(name: str, default: Any, said: str, **limits: float) -> Any:
    field: Any = Field  # as pydantic types it: what stands for a value of any type
    return field(default, validation_alias=name, description=said, **limits)


class Settings(BaseSettings):
    """The settings. Secrets are wrapped: no text of this object holds one."""

    model_config = SettingsConfigDict(extra="ignore", env_ignore_empty=True, frozen=True)

    anthropic_api_key: SecretStr | None = _variable(
        "ANTHROPIC_API_KEY", None, "The key of the Messages API; without one, live is off"
    )
    anthropic_auth_token: SecretStr | None = _variable(
        "ANTHROPIC_AUTH_TOKEN", None, "Instead of a key: a token, for a compatible server"
    )
    anthropic_base_url: str = _variable(
        "ANTHROPIC_BASE_URL", "https://api.anthropic.com", "The server that speaks the Messages API"
    )
    data: Path = _variable(
        "HALQA_DATA", user_data_path("halqa"), "The folder for what Halqa stores"
    )
    database_url: SecretStr | None = _variable(
        "HALQA_DATABASE_URL",
        None,
        "A database instead of the file in that folder, such as postgresql://user@host/name",
    )
    hosts: str = _variable(
        "HALQA_HOSTS", "", "The names that a shared server is reached by, such as halqa.example.org"
    )
    live_password: SecretStr | None = _variable(
        "HALQA_LIVE_PASSWORD", None, "What a browser must know to make real calls"
    )
    live_run_usd: float | None = _variable(
        "HALQA_LIVE_RUN_USD", None, "A run that has cost so many dollars makes no more calls", ge=0
    )
    live_day_usd: float | None = _variable(
        "HALQA_LIVE_DAY_USD", None, "The same for all runs of a day (UTC) together", ge=0
    )
    live_at_once: int = _variable(
        "HALQA_LIVE_AT_ONCE", 8, "The most runs that wait for a reply at the same time", ge=1
    )
    live_turns: int = _variable("HALQA_LIVE_TURNS", 40, "The most turns of a run", ge=1, le=200)
    live_timeout: float = _variable("HALQA_LIVE_TIMEOUT", 600, "The most seconds of one call", gt=0)
    live_silence: float = _variable(
        "HALQA_LIVE_SILENCE", 60, "The most seconds of a call without a sign of life", gt=0
    )
    runs_days: float = _variable("HALQA_RUNS_DAYS", 90, "The days that a run is kept", gt=0)

    @property
    def live(self) -> bool:
        """Whether real calls can be made at all."""
        return self.anthropic_api_key is not None or self.anthropic_auth_token is not None

    @property
    def database(self) -> str:
        """The address of the database."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.data / 'runs.db'}"

    @property
    def host_names(self) -> list[str]:
        """The names that the server is reached by."""
        return self.hosts.replace(",", " ").split()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never stand in a page, a log, an error, the database or an export."""
        held = (self.anthropic_api_key, self.anthropic_auth_token, self.live_password)
        return tuple(secret.get_secret_value() for secret in held if secret)


@dataclass(frozen=True)
class Row:
    """A setting as it is shown: its variable, what it means, its value, or that it has one."""

    variable: str
    said: str
    value: str


def read_settings() -> Settings:
    """The settings of this environment. Raises BadSettings, naming the variable."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise BadSettings(f"{first['loc'][0]}: {first['msg']}.") from None


def rows(settings: Settings) -> Iterator[Row]:
    """All settings, without a secret's value."""
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        shown = "" if value is None else HIDDEN if isinstance(value, SecretStr) else str(value)
        yield Row(str(field.validation_alias), str(field.description), shown)
