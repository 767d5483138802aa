import { type UsualPollPorts, UsualPolls } from "../../openadr/operations/note-polls.js";

/** How accounts poll GET /dispatches. */
export const accountPolls = (ports: Omit<UsualPollPorts, "failure">): UsualPolls =>
  new UsualPolls({ ...ports, failure: "polls of accounts could not be recorded; retrying" });
