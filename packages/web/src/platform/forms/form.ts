/** The fields of a submitted form. */
export class Form {
  readonly #fields: Readonly<Record<string, unknown>>

  /** @param fields texts, files and lists of these, by name */
  constructor(fields: Readonly<Record<string, unknown>> = {}) {
    this.#fields = fields
  }

  /** A text with the line breaks that the server stores; '' if the field is missing. */
  text(name: string): string {
    const value = this.#value(name)
    return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''
  }

  /** The text without blanks around it; undefined if nothing is left. */
  optionalText(name: string): string | undefined {
    return this.text(name).trim() || undefined
  }

  /** A whole number; undefined if the field has none. */
  number(name: string): number | undefined {
    const text = this.text(name).trim()
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined
  }

  /** The values of all fields with a name that ends in `[]`, such as checkboxes; without the empty. */
  texts(name: string): string[] {
    const value = this.#value(name)
    const list = Array.isArray(value) ? value : [value]
    return list.filter((item): item is string => typeof item === 'string' && item !== '')
  }

  /** One of several words or numbers; undefined for anything else. */
  word<const W extends string | number>(name: string, words: readonly W[]): W | undefined {
    const text = this.text(name)
    return words.find((word) => String(word) === text)
  }

  /** Whether a checkbox is ticked. */
  isChecked(name: string): boolean {
    return this.text(name) === '1'
  }

  /** Whether the form has a field, also an empty one. */
  has(name: string): boolean {
    return this.#value(name) !== undefined
  }

  /** A file that was chosen, which may be empty; undefined without one. */
  file(name: string): File | undefined {
    const value = this.#value(name)
    return value instanceof File ? value : undefined
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined
  }
}
