"""What programs change: the pages' own actions, with the fields checked first."""
