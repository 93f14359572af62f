"""From the results of this room to the parts of a report."""
