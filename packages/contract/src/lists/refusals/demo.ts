// What is refused of the demo and of the simulated site.

export const demoRefusals = [
  "The demo was removed meanwhile.",
  "Another process has set up the demo.",
  "The demo is being removed: start it again when it is gone.",
  "The simulated site is being removed: add it again when it is gone.",
  "The demo is on, and all of its sites are simulated: dispatch one of them, or remove the demo first.",
  "The service has accounts: a demo can be started only without any, also without the simulated site. Try it on a service of its own, with a database of its own.",
] as const;
