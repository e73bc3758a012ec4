import { type Html, html } from '../page/html.ts'

/** A purchase option to be chosen. */
export function optionRadio(
  option: { id: string; name: string; description: string },
  price: string,
  checked: boolean,
): Html {
  return html`<li><label class="choice"><input type="radio" name="purchaseOptionId"
value="${option.id}"${checked && html` checked`}><span class="choice-text"><span
class="choice-name"><bdi>${option.name}</bdi></span>
<span class="choice-price">${price}</span>${
    option.description !== '' && html` <span class="hint" dir="auto">${option.description}</span>`
  }</span>
</label></li>
`
}
