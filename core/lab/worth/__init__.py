"""What a team and its experience are worth without a language model: right answers, steps and seconds."""
