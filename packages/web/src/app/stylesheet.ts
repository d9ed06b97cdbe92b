import { hash } from 'node:crypto'
import { diffStyle } from '../code/diffs/diff-style.ts'
import { repositoryStyle } from '../code/repositories/code-style.ts'
import { planningStyle } from '../planning/planning-style.ts'
import { designStyle } from '../platform/design/stylesheet.ts'
import { requestStyle } from '../review/merge-requests/request-style.ts'
import { styleguideStyle } from './styleguide/styleguide-style.ts'

/** The style of all pages: that of the components, and of the slices. */
export const stylesheet = [
  designStyle,
  diffStyle,
  repositoryStyle,
  planningStyle,
  requestStyle,
  styleguideStyle,
].join('')

/** Path of the style sheet; it has a hash of the text, so browsers may keep it forever. */
export const stylesheetPath = `/-/assets/web-${hash('sha256', stylesheet, 'hex').slice(0, 16)}.css`
