// What a member of a request must be, as the check of its schema says it after `start_time is 5; `.

export const rulesRefusals = [
  "it must be divisible by {n}",
  "it must be one of {values}",
  "it must be a text",
  "it must be true or false",
  "it must be a list",
  "it must be an object",
  "it must be null",
  "it must be of another type",
  "it must have at most {n} elements",
] as const;
