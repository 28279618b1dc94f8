"""`make bench`: how fast Halqa is, as ratios to floors that are measured in the same run."""
