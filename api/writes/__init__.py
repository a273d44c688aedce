"""Changes by programs: the pages' own actions, with the fields checked first."""
