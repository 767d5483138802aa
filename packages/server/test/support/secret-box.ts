import { secretBox } from "../../src/app/secret-keys.js";
import { newKey } from "../../src/platform/runtime/secret-cipher.js";

/** Of a key of its own: for stores that a test looks into beside the service. */
export const testSecretBox = secretBox([newKey()]);
