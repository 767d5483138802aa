import { FieldError } from "../../../ui/fault.js";

/** A fault of a field that the page finds itself. */
export class FormRefusal extends FieldError {
  get faults() {
    return [{ member: "values", words: this.message, alone: this.message }];
  }
}
