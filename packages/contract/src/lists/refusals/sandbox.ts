// What is refused of scenarios.

export const sandboxRefusals = [
  "cancel_time must be between notification_time and end_time",
  "notification_time must not be more than a minute in the past",
  "notification_time must be within the next 24 hours",
  "start_time must not be before notification_time",
  "end_time is null; a scenario of type {type} needs an end_time",
  "dispatches.{label}.states[{index}]: {fault}",
  "published_time must be after that of the previous state",
  "published_time must be within the next 31 days",
  "the states name sites {n} times; the maximum per scenario is {most}. Remove some.",
  "a dispatch would last less than a millisecond at this speed; choose a lower one",
  "sites[{index}] does not identify a site; give its id, customer_location_id or name",
  "{member} is missing; it must be given",
  "the scenarios would name more than {n} sites within a minute; wait {seconds} seconds",
  "program_id is {program}; in the sandbox, give {own} or none",
  "you requested {n} test requests within a minute; wait {seconds} seconds",
  "No such scenario; check the id.",
] as const;
