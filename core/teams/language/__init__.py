"""What a language model does in a team: it splits a question, chooses sub-agents, judges and distils."""
