import { type ChangeEvent, useState } from "react";

type Names<T, V> = { [K in keyof T]: T[K] extends V ? K : never }[keyof T];
type Changed = ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;

export interface Draft<T extends object> {
  readonly values: T;
  readonly set: (changes: Partial<T>) => void;
  /** Props of a text field, select or date field. */
  readonly text: (name: Names<T, string>) => { name: string; value: string; onChange: (changed: Changed) => void };
  /** Props of a checkbox. */
  readonly tick: (name: Names<T, boolean>) => {
    checked: boolean;
    onChange: (changed: ChangeEvent<HTMLInputElement>) => void;
  };
}

/** State of a form's fields: `<Field label="Name" {...draft.text("name")} />`. */
export const useDraft = <T extends object>(initial: T): Draft<T> => {
  const [values, setValues] = useState(initial);
  const set = (changes: Partial<T>) => setValues((before) => ({ ...before, ...changes }));
  return {
    values,
    set,
    text: (name: Names<T, string>) => ({
      name: String(name),
      value: values[name] as string,
      onChange: ({ target }: Changed) => set({ [name]: target.value } as Partial<T>),
    }),
    tick: (name: Names<T, boolean>) => ({
      checked: values[name] as boolean,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => set({ [name]: target.checked } as Partial<T>),
    }),
  };
};
