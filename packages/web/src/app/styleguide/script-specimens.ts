import { html } from '../../platform/html/html.ts'
import { type Family, specimen } from './specimen.ts'

/** What the script of the pages adds, as it makes it. */
export function scriptSpecimens(): Family {
  return {
    id: 'script',
    title: 'Added by the script',
    specimens: [
      specimen(
        'Dialog',
        html`<dialog open aria-labelledby="dialog-title"><h2 id="dialog-title">Keys</h2>
<table><tbody><tr><td><kbd>g</kbd> <kbd>p</kbd></td><td>Your projects</td></tr><tr><td><kbd>?</kbd></td><td>This help</td></tr></tbody></table><button type="button">Close</button></dialog>`,
      ),
      specimen(
        'Completion, with the second of its choices selected',
        html`<ul class="completion" role="listbox" aria-label="Completion of the example"><li role="option" aria-selected="false"><span class="strong">kim</span> <span class="muted">Kim Larsen</span></li><li role="option" aria-selected="true"><span class="strong">noor</span> <span class="muted">Noor Aziz</span></li></ul>`,
      ),
      specimen(
        'News of what is not on the page that is shown; at the bottom of the window',
        html`<div class="news"><span>New comment by Noor Aziz on another page</span><a class="button" href="/-/styleguide">Show it</a><button class="quiet" type="button" aria-label="Close">✕</button></div>`,
      ),
      specimen('Preview of a text', html`<div class="preview prose"><p>As it will look.</p></div>`),
    ],
  }
}
