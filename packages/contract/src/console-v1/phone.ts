import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/phone.js";

/** Phone channels, and test messages to contacts of the caller's own account. */
export const getOwnPhoneChannels = endpoint({ ...operator.getPhoneChannels, id: "getOwnPhoneChannels" });
export const testOwnContact = endpoint({ ...operator.testContact, id: "testOwnContact" });
