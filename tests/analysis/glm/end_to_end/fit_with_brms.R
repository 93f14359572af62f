# One regression by brms: default priors, 4 chains, 1,000 iterations of warm-up, seed 123.
# Usage: Rscript fit_with_brms.R words.csv FORMULA bernoulli|poisson|lognormal DRAWS diag_e|dense_e draws.csv
# With 3,000 draws a chain and diag_e, Stan's default, this is the published call.
suppressMessages(library(brms))
arguments <- commandArgs(trailingOnly = TRUE)
words <- read.csv(arguments[1], colClasses = c(reader_id = "character"))
family <- brmsfamily(arguments[3])
fit <- brm(as.formula(arguments[2]), words, family,
           chains = 4, iter = 1000 + as.integer(arguments[4]), warmup = 1000, seed = 123,
           refresh = 500, control = list(metric = arguments[5]))
common <- as_draws_df(fit, variable = "^b_|^sd_|^sigma", regex = TRUE)
write.csv(as.data.frame(common), arguments[6], row.names = FALSE)
