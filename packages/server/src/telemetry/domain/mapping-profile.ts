/** The most that an account may keep. */
export const MAX_MAPPING_PROFILES = 50;

/** Of a mapping as JSON: 500 columns of values, and the rest. */
export const MAX_PROFILE_CHARACTERS = 65_536;

/** In place of the name of a profile: none is used. */
export const NO_PROFILE = "none";
