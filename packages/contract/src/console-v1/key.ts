import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/key.js";
import { ofOwnAccount } from "./own.js";

/** API keys of the caller's own account. */
export const createOwnKey = endpoint({
  ...ofOwnAccount(operator.createKey),
  id: "createOwnKey",
  path: "/keys",
  description:
    "The key is generated when the link is opened, within 24 hours, and is shown only then. An account may have two keys per environment, including unopened links. To replace a key, issue the second, switch your systems to it, and revoke the first.",
});
export const listOwnKeys = endpoint({ ...ofOwnAccount(operator.listKeys), id: "listOwnKeys", path: "/keys" });
export const revokeOwnKey = endpoint({ ...operator.revokeKey, id: "revokeOwnKey" });
