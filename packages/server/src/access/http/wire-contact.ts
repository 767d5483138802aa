import type { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Contact } from "../domain/account.js";

export const contactToWire = ({ id, name, email, phone, sms, voice, createdAt }: Contact): operator.Contact => ({
  id,
  name,
  email,
  phone,
  sms,
  voice,
  created_at: formatTimestamp(createdAt),
});
