import { operator } from "@curtail/contract";
import { daysOf } from "@curtail/holidays";
import { wireProgram } from "@curtail/testing/wire-forms";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;

export const prepare = async () => {
  service = await running({}, { startsAt: new Date("2026-06-15T12:00:00Z") });
  anna = await service.newParticipant();
};

export const peak = wireProgram({ timezone: "America/Los_Angeles", market: "CAISO" });
export const create = (body: object) => service.made(operator.createProgram, { body: { ...peak, ...body } });
export const change = (id: string, body: object) => service.made(operator.changeProgram, { params: { id }, body });
export const holidays = (id: string) => service.made(operator.getProgramHolidays, { params: { id } });
export const datesOf = (code: string, from: number, to: number): string[] => {
  const found = daysOf(code, [from, to]);
  return "days" in found ? found.days.map(({ date }) => date) : [];
};

/** As an older version of the library had given it. */
export const storedBefore = async (
  id: string,
  edit: (days: { readonly date: string }[]) => unknown[],
): Promise<void> => {
  const { pool } = service.database;
  const { rows } = await pool.query("select holiday_calendar as calendar, holidays from programs where id = $1", [id]);
  const { calendar } = rows[0];
  const days = edit(calendar.days) as { readonly date: string }[];
  await pool.query("update programs set holiday_calendar = $2, holidays = $3 where id = $1", [
    id,
    JSON.stringify({ ...calendar, version: "3.20.0", days }),
    JSON.stringify(days.map(({ date }) => date).toSorted()),
  ]);
};
export const invented = (date: string) => ({ date, name: "Founders' Day", localName: "Founders' Day" });
