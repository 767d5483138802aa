import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/key.js";
import { ofOwnAccount } from "./own.js";

/** Keys of the caller's own account, as the operator's interface has all of them. */
export const createOwnKey = endpoint({
  ...ofOwnAccount(operator.createKey),
  id: "createOwnKey",
  path: "/keys",
  description:
    "For a change-over an account may have two keys of an environment, links that wait to be opened included: issue the second, let the systems use it, and revoke the first.",
});
export const listOwnKeys = endpoint({ ...ofOwnAccount(operator.listKeys), id: "listOwnKeys", path: "/keys" });
export const revokeOwnKey = endpoint({ ...operator.revokeKey, id: "revokeOwnKey" });
