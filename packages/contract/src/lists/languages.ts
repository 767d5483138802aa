/** Languages of what people read, by the names that HTML and HTTP use (BCP 47), each under its own name. English is what is written in the code. */
export const languages = { en: "English", es: "Español", de: "Deutsch", fr: "Français" } as const;

export type Language = keyof typeof languages;

export const LANGUAGES = Object.keys(languages) as readonly Language[];
