import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { byId, integer } from "../values.js";

export const recordPageRead = endpoint({
  id: "recordPageRead",
  method: "PUT",
  path: "/dispatches/{id}/page-read",
  tag: "Dispatches",
  summary: "Record that a person has read a dispatch on its page",
  description:
    "The page sends this when a signed-in person opens a dispatch, or uses the page within five minutes of the modification being shown. The account then counts as notified of the modification, with the name of the person and the time. Each person is recorded once per modification; a read after the end of the dispatch counts for nothing. For viewers, too.",
  params: byId("dispatch"),
  body: Type.Object(
    { modification_number: integer("Modification that the page shows.", 1, { minimum: 0, maximum: 2_147_483_647 }) },
    { $id: "PageRead", description: "What a person has read." },
  ),
  status: 204,
});
