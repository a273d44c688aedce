// The files of an import: chosen, or dropped on the panel and sent at once. Says before an upload
// starts that it is too large: the server refuses it either way, but can do so only by breaking the
// connection off.
/** @param {File[]} files */
const sum = (files) => files.reduce((total, file) => total + file.size, 0);

/** The files of a dropped entry, with their paths inside it. @param {any} entry @param {string} above
 * @returns {Promise<{file: File, path: string}[]>} */
const filesOf = async (entry, above = "") => {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ file, path: above + entry.name }];
  }
  const reader = entry.createReader();
  const files = [];
  // A folder is read in pieces of a hundred.
  for (;;) {
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!entries.length) return files;
    for (const below of entries) files.push(...(await filesOf(below, `${above}${entry.name}/`)));
  }
};

/** @param {HTMLFormElement} form */
const prepare = (form) => {
  /** @type {HTMLInputElement} */
  const chosen = form.querySelector("input[name=files]");
  /** @type {HTMLInputElement} */
  const folder = form.querySelector("input[name=folder]");
  /** @type {HTMLInputElement} */
  const paths = form.querySelector("input[name=paths]");
  /** @type {HTMLElement} */
  const notice = form.querySelector("#upload-too-large");
  /** @type {HTMLElement} */
  const reminder = form.querySelector("#not-uploaded");

  const chosenFiles = () => [...chosen.files, ...folder.files];

  /** @param {Event} event */
  const check = (event) => {
    const files = chosenFiles();
    const isTooLarge = sum(files) > Number(form.dataset.maxUpload);
    notice.hidden = !isTooLarge;
    if (isTooLarge) {
      event.preventDefault();
      return;
    }
    if (!paths.value)
      paths.value = JSON.stringify(files.map((file) => file.webkitRelativePath || file.name));
  };

  form.addEventListener("submit", check);
  for (const field of [chosen, folder])
    field.addEventListener("change", () => {
      paths.value = "";
      notice.hidden = true;
      reminder.hidden = true;
    });

  // Whoever goes on below would leave these files behind, and not notice.
  for (const id of ["matching", "starting"])
    document.getElementById(id)?.addEventListener("submit", (event) => {
      if (!chosenFiles().length) return;
      event.preventDefault();
      reminder.hidden = false;
      form.querySelector("button").focus();
    });

  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", async (event) => {
    event.preventDefault();
    form.classList.remove("over");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.());
    const dropped = (
      await Promise.all(entries.filter(Boolean).map((entry) => filesOf(entry)))
    ).flat();
    if (!dropped.length) return;
    const transfer = new DataTransfer();
    for (const { file } of dropped) transfer.items.add(file);
    folder.value = "";
    chosen.files = transfer.files;
    paths.value = JSON.stringify(dropped.map(({ path }) => path));
    form.requestSubmit();
  });
};

const start = () => {
  /** @type {HTMLFormElement} */
  const form = document.querySelector("form[data-max-upload]:not([data-ready])");
  if (!form) return;
  form.dataset.ready = "yes";
  prepare(form);
};

start();
document.addEventListener("htmx:afterSwap", start);
