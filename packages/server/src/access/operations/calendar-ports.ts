import type { Page, PageRequest } from "../../platform/page.js";
import type { Calendar } from "../domain/calendar.js";
import type { Standing } from "../domain/session.js";

export interface CalendarStore {
  insert(calendar: Calendar, tokenHash: Buffer): Promise<void>;
  find(tokenHash: Buffer): Promise<(Standing & { readonly calendar: Calendar }) | null>;
  /** Newest first. */
  list(userId: string, page: PageRequest): Promise<Page<Calendar>>;
  touch(id: string, now: Date): Promise<void>;
  remove(userId: string, id: string): Promise<Calendar | null>;
  removeAll(userId: string): Promise<void>;
}
