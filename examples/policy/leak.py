page = tools.fetch("https://example.org/contact")
address = page.split()[-1]
tools.send_mail(to=address, body="the figures")
