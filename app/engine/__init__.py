"""The engine: records a loop, plays the model, judges requests. Standard library only."""
