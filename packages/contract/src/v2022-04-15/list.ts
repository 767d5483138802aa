import { integer } from "../values.js";

/** Paging members of every list of the participants' interface, which are never split into pages. */
export const paging = {
  page: integer("Always 0: the list is complete.", 0),
  perPage: integer("Always 0: the list is complete.", 0),
};
