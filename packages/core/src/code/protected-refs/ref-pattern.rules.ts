import { isBranchOrTagName } from '../repositories/ref-name.rules.ts'

/** Whether a text is a valid branch or tag name, or becomes one when its wildcards are expanded. */
export function isRefPattern(text: string): boolean {
  return isBranchOrTagName(text.replaceAll('*', 'x'))
}
