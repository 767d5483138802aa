import type { operator } from "@curtail/contract";
import type { Contact } from "../../domain/account.js";
import { formatTimestamp } from "../../domain/timestamp.js";

export const contactToWire = ({ id, name, email, createdAt }: Contact): operator.Contact => ({
  id,
  name,
  email,
  created_at: formatTimestamp(createdAt),
});
