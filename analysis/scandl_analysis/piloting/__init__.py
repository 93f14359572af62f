"""An experiment before anyone is recorded: stimuli in, expected effects and power out."""
