/** A text across a whole page or mail, in colors of its own. */
export interface Banner {
  text: string
  /** `#rrggbb` or `#rgb`. */
  background: string
  color: string
}
