import type { FileLines, LfsPointer } from '@stithy/core'

/** The lines of a file as they are shown. */
export interface ReadLines {
  type: FileLines['type']
  language: string | null
  lines: string[]
  totalLines: number
  cutLines: FileLines['cut_lines']
  lfsPointer: LfsPointer | null
}
