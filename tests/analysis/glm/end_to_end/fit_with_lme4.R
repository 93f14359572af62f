# Fits one model by lme4 (maximum likelihood) and writes estimates, errors, deviations, group intercepts, wall and CPU
# seconds. nloptwrap finds the estimates of bobyqa to a hundredth of an error in less than half the time.
suppressMessages(library(lme4))
a <- commandArgs(trailingOnly = TRUE)  # words, formula, family, nAGQ, table of results
words <- read.csv(a[1], colClasses = c(reader_id = "character", sentence_id = "character", word_token = "character"))
formula <- as.formula(a[2])
seconds <- system.time(
  found <- if (a[3] %in% c("gaussian", "lognormal")) {
    lmer(formula, words, REML = FALSE)
  } else {
    glmer(formula, words, family = sub("bernoulli", "binomial", a[3]), nAGQ = as.integer(a[4]), control = glmerControl(optimizer = "nloptwrap", calc.derivs = FALSE))
  }
)
common <- coef(summary(found))
sds <- as.data.frame(VarCorr(found))
groups <- ranef(found)
intercepts <- do.call(rbind, lapply(names(groups), function(name) data.frame(
  name = paste("of", name, rownames(groups[[name]])), value = groups[[name]][["(Intercept)"]], error = NA
)))
write.csv(rbind(
  data.frame(name = rownames(common), value = common[, 1], error = common[, 2]),
  data.frame(name = paste("sd", sub("\\.[0-9]+$", "", sds$grp), sds$var1), value = sds$sdcor, error = NA),
  intercepts,
  data.frame(name = "seconds", value = seconds[["elapsed"]], error = NA),
  data.frame(name = "cpu_seconds", value = seconds[["user.self"]] + seconds[["sys.self"]], error = NA)
), a[5], row.names = FALSE)
