"""User patterns: placeholder."""
class UserMatchers:
    def session(self):
        return None
