import type { Access } from "./access.js";

/**
 * The environment of a key: each works in one only. Keys of production begin with `ctp_`, those of the sandbox with
 * `cts_`; the sandbox's public key is a word of the operator's choice.
 */
export const environmentOf = ({ api_key }: Pick<Access, "api_key">): "sandbox" | "production" =>
  api_key.startsWith("ctp_") ? "production" : "sandbox";
