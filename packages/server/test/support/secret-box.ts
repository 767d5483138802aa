import { secretBox } from "../../src/app/wire/secret-keys.js";
import { newKey } from "../../src/platform/runtime/secret-cipher.js";

/** With its own key, for stores that a test reads beside the service. */
export const testSecretBox = secretBox([newKey()]);
