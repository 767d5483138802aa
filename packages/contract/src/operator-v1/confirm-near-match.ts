import Type from "typebox";
import { boolean } from "../values.js";

/** Of what is created under a name, or gets another one. */
export const confirmNearMatch = Type.Optional(
  boolean(
    "`true`: creates or changes it although another one has almost the same name or `customer_location_id`, which differs only in case, kinds of spaces, encoded accents or leading zeros; without it, such a request is a 400.",
    false,
  ),
);
