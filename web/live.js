// What is marked as live is exchanged when the server says that it has changed. What somebody writes
// stays: if a form would be another one now, the page says so and leaves it.
'use strict';
const { at, live, seen } = document.querySelector('main').dataset;
if (live !== undefined) {
  const changed = async () => {
    const answer = await fetch(at + (live === '*' ? '/' : '/games/' + live), { headers: { 'X-Live': 'yes' } });
    if (!answer.ok) return;
    const now = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const old of document.querySelectorAll('[data-part]')) {
      const fresh = now.querySelector(`[data-part="${old.dataset.part}"]`);
      if (!fresh) continue;
      if (old.dataset.part === 'forms') {
        if (fresh.dataset.state !== old.dataset.state) document.querySelector('#again').textContent = 'Something else can be done now: load the page again.';
      } else if (!fresh.isEqualNode(old) && !old.contains(document.activeElement)) {
        old.replaceWith(document.adoptNode(fresh));
      }
    }
  };
  new EventSource(at + '/events?game=' + encodeURIComponent(live.replace('*', '')) + '&seen=' + encodeURIComponent(seen)).addEventListener('changed', changed);
}
