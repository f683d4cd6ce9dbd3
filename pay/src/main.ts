// The payment page in the browser: what a script adds to a page that works without one. It draws nothing itself; where the
// payment has changed, the server's new page takes the place of the old one.
import { keepTime } from './clock.ts'
import { offerCopies, offerPrint, offerSave, sendAgain, sendOnce } from './controls.ts'
import { follow, lookNow } from './follow.ts'
import { leave } from './leave.ts'

/** Brings a page to life that was just shown. */
function liven(): void {
  keepTime(lookNow)
  offerCopies()
  offerPrint()
  offerSave()
  sendOnce()
}

liven()
leave('found')
follow((change) => {
  liven()
  leave(change)
})
addEventListener('pageshow', sendAgain)
