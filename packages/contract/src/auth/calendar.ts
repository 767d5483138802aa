import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { byId, id, moment, nullable, string, text, url } from "../values.js";

const ADDRESS = "https://curtail.example.com/calendar/2nG8xQ0mV5tYb7RkLc3dWf9sHj4pZa6uEe1oXi0TqNw.ics";

const calendar = {
  id: id("calendar"),
  name: string("Name of the calendar, for example the device that reads it.", "My phone"),
  program_id: nullable(
    string("Identifier of the program whose dispatches it contains; null for all programs.", "prg_7p2o5i8u1y4t"),
  ),
  created_at: moment("When its address was created.", "created"),
  last_used_at: nullable(moment("When its address was last read, to the minute; null if it never was.")),
};

/** A secret address of dispatches for calendar programs. */
export const Calendar = Type.Object(calendar, {
  $id: "Calendar",
  description: "A secret address at which a calendar program reads your dispatches.",
});
export type Calendar = Static<typeof Calendar>;

export const NewCalendar = Type.Object(
  { ...calendar, url: url("The secret address. It is not shown again.", ADDRESS) },
  { $id: "NewCalendar", description: "A calendar with its address, which is shown only once." },
);
export type NewCalendar = Static<typeof NewCalendar>;

export const listCalendars = endpoint({
  id: "listCalendars",
  method: "GET",
  path: "/calendars",
  tag: "Calendars",
  summary: "List your calendars, newest first",
  description: "Returns the calendars without their addresses, which are shown only when they are created.",
  query: PageQuery,
  reply: pageOf(Calendar),
});
export const createCalendar = endpoint({
  id: "createCalendar",
  method: "POST",
  path: "/calendars",
  tag: "Calendars",
  summary: "Create a calendar",
  description:
    "Returns a secret address of your dispatches in iCalendar format (RFC 5545). Calendar programs read it without signing in, so anyone who has the address can read it. You may have ten.\n\nAn operator's calendar contains the dispatches of all accounts, a participant's those of the own account from their notification time on. It goes back 90 days; cancelled and voided dispatches stay for 28 days, marked as cancelled.",
  body: Type.Object({
    name: text(NAME_CHARACTERS, "Name of the calendar, for example the device that reads it.", "My phone", 1),
    program_id: Type.Optional(
      nullable(
        text(
          100,
          "Identifier of a program, to limit the calendar to its dispatches. For operators only.",
          "prg_7p2o5i8u1y4t",
        ),
      ),
    ),
  }),
  reply: NewCalendar,
  status: 201,
});
export const deleteCalendar = endpoint({
  id: "deleteCalendar",
  method: "DELETE",
  path: "/calendars/{id}",
  tag: "Calendars",
  summary: "Delete one of your calendars",
  description: "Its address stops working at once.",
  params: byId("calendar"),
  status: 204,
});
