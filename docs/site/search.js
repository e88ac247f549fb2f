// Finds headings of all pages by the words in them, from a list that comes with the site: no server is asked.

const form = document.querySelector('form[role=search]');
const [input, list] = [form.querySelector('input'), form.querySelector('ul')];
// More are not read.
const MAX_SHOWN = 12;

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? INDEX.filter(([title]) => words.every((word) => title.toLowerCase().includes(word))) : [];
  list.replaceChildren(
    ...found.slice(0, MAX_SHOWN).map(([title, place]) => {
      const [row, link] = [document.createElement('li'), document.createElement('a')];
      link.href = `${form.dataset.root}/${place}`;
      link.textContent = title;
      row.append(link);
      return row;
    }),
  );
}

input.addEventListener('input', show);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
// The menu is above the text on a small screen.
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('nav details').open = false;
