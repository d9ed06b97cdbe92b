import { announce, onEach, scriptButton } from './dom.ts'

/** Adds buttons that copy: to commands, and to fields with an address. */
export function startCopying(): void {
  if (navigator.clipboard === undefined) return
  onEach<HTMLElement>('pre[data-copy], .empty pre, .prose pre', (block) => {
    const button = copyButton(() => block.textContent)
    const frame = document.createElement('div')
    frame.className = 'copied'
    block.replaceWith(frame)
    frame.append(block, button)
  })
  onEach<HTMLInputElement>('input[data-copy]', (field) => {
    field.after(copyButton(() => field.value))
    field.addEventListener('focus', () => field.select())
  })
}

function copyButton(textOf: () => string): HTMLButtonElement {
  const copy = async (button: HTMLButtonElement) => {
    await navigator.clipboard.writeText(textOf().trimEnd())
    button.textContent = 'Copied'
    announce('Copied')
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  }
  return scriptButton('Copy', copy, { class: 'copy' })
}
