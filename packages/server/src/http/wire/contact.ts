import type { operator } from "@curtail/contract";
import type { Contact } from "../../domain/account.js";
import { formatTimestamp } from "../../domain/timestamp.js";

export const contactToWire = ({ id, name, email, phone, createdAt }: Contact): operator.Contact => ({
  id,
  name,
  email,
  phone,
  created_at: formatTimestamp(createdAt),
});
